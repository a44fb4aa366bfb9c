import {
  EncryptedFile,
  FileContradictsName,
  FilesBusy,
  FileTooComplex,
  ImpossibleImageChange,
  refusalOf,
  UnreadableFile,
  UnsupportedFile,
  withRefusals,
} from './file-errors';

const CLASSES = [
  UnsupportedFile,
  FileContradictsName,
  UnreadableFile,
  EncryptedFile,
  FileTooComplex,
  ImpossibleImageChange,
];

describe('refusals of files', () => {
  it.each(CLASSES.map((each) => [each.name, each] as const))(
    'makes %s a 422 with its sentence',
    (_, Refusal) => {
      expect(refusalOf(new Refusal('A sentence.'))).toMatchObject({ status: 422, message: 'A sentence.' });
    },
  );

  it('makes FilesBusy a 503 with the time to wait', () => {
    expect(refusalOf(new FilesBusy())).toMatchObject({
      status: 503,
      options: { headers: { 'Retry-After': '5' } },
    });
  });

  it('leaves any other error as it is', async () => {
    const other = new Error('other');
    expect(refusalOf(other)).toBeNull();
    await expect(withRefusals(() => Promise.reject(other))).rejects.toBe(other);
    await expect(withRefusals(() => Promise.reject(new EncryptedFile('Locked.')))).rejects.toMatchObject({
      status: 422,
    });
    expect(await withRefusals(() => 42)).toBe(42);
  });
});
