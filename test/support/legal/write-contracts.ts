import { Document, HeadingLevel, Packer, Paragraph } from 'docx';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import { EMPLOYMENT_CONTRACT, LEASE } from './contract-texts';

// Makes the committed files lease.docx and employment-contract.pdf of test/fixtures/legal:
// node --require ./src/core/text/threads/typescript-thread.cjs test/support/legal/write-contracts.ts

const FIXTURES = join(__dirname, '../../fixtures/legal');
const MADE_AT = new Date('2026-05-15T09:00:00Z');

async function writeLease(): Promise<void> {
  const { title, preamble, sections, closing } = LEASE;
  const children = [
    new Paragraph({ text: title, heading: HeadingLevel.TITLE }),
    ...preamble.map((text) => new Paragraph({ text })),
    ...sections.flatMap(({ heading, paragraphs }) => [
      new Paragraph({ text: heading, heading: HeadingLevel.HEADING_1 }),
      ...paragraphs.map((text) => new Paragraph({ text })),
    ]),
    ...closing.map((text) => new Paragraph({ text })),
  ];
  writeFileSync(
    join(FIXTURES, 'lease.docx'),
    await Packer.toBuffer(new Document({ sections: [{ children }] })),
  );
}

async function writeEmploymentContract(): Promise<void> {
  const { title, preamble, sections, closing } = EMPLOYMENT_CONTRACT;
  const pdf = new PDFDocument({ size: 'A4', margin: 72, info: { Title: title, CreationDate: MADE_AT } });
  const written = finished(pdf.pipe(createWriteStream(join(FIXTURES, 'employment-contract.pdf'))));
  pdf.fontSize(18).text(title).moveDown();
  pdf.fontSize(11);
  for (const text of preamble) {
    pdf.text(text).moveDown();
  }
  for (const { heading, paragraphs } of sections) {
    pdf.font('Helvetica-Bold').text(heading).font('Helvetica');
    for (const text of paragraphs) {
      pdf.text(text).moveDown();
    }
  }
  pdf.text(closing.join('\n')).end();
  await written;
}

void Promise.all([writeLease(), writeEmploymentContract()]);
