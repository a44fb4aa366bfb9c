import PDFDocument from 'pdfkit';
import { UnsupportedFile } from '../file-errors';
import { writePdf } from './write-pdf';

describe('writePdf', () => {
  it('refuses letters that its fonts lack before it lays out a page, which takes long', async () => {
    const laidOut = jest.spyOn(PDFDocument.prototype, 'text');
    await expect(writePdf('A word: 日本')).rejects.toThrow(UnsupportedFile);
    expect(laidOut).not.toHaveBeenCalled();
    await writePdf('A word');
    expect(laidOut).toHaveBeenCalled();
  });
});
