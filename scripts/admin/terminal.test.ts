import { PassThrough } from 'node:stream';
import { CommandFailure, EXIT } from './failures';
import { confirm, printable, printJson, printTable, usd, type Terminal } from './terminal';

/** A terminal at which somebody types an answer; null for a pipe, where nobody does. */
function terminalWith(answer: string | null): Terminal & { written: () => string } {
  const input = Object.assign(new PassThrough(), { isTTY: answer !== null });
  const [output, errors] = [new PassThrough(), new PassThrough()];
  if (answer !== null) {
    input.write(`${answer}\n`);
  }
  return { input, output, errors, written: () => String(output.read() ?? '') + String(errors.read() ?? '') };
}

describe('confirm', () => {
  it.each(['', 'n', 'no', 'yess', 'ja'])('takes %j for no', async (answer) => {
    await expect(confirm(terminalWith(answer), 'Disable it?', false)).rejects.toMatchObject({
      message: 'Nothing was done.',
      exitCode: EXIT.unconfirmed,
    });
  });

  it.each(['y', 'Y', 'yes', ' YES '])('takes %j for yes, and has asked', async (answer) => {
    const terminal = terminalWith(answer);
    await confirm(terminal, 'Disable it?', false);
    expect(terminal.written()).toContain('Disable it? [y/N]');
  });

  it('refuses where nobody can be asked', async () => {
    await expect(confirm(terminalWith(null), 'Disable it?', false)).rejects.toThrow(CommandFailure);
  });

  it('does not ask who has said yes already', async () => {
    const terminal = terminalWith(null);
    await confirm(terminal, 'Disable it?', true);
    expect(terminal.written()).toBe('');
  });
});

describe('what is printed', () => {
  it('has no character that moves the cursor, colours or turns the line', () => {
    expect(printable('a\u001b[2Kb\rc\nd\u202ee\u0085f\u061cg')).toBe(
      'a\ufffd[2Kb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg',
    );
    expect(printable('Zoë 李 ✓')).toBe('Zoë 李 ✓');
  });

  it('has no such character as JSON either, and is the same JSON', () => {
    const terminal = terminalWith(null);
    const answer = { name: 'a\u001b[2K\u009b2Jb\u202ec\u061cd\ufeff', note: 'Zoë 李 ✓ 😀 \\u009b' };
    printJson(terminal, answer);
    const written = terminal.written();
    expect(printable(written.replaceAll('\n', ''))).toBe(written.replaceAll('\n', ''));
    expect(written).toContain('\\u009b2Jb\\u202ec\\u061cd\\ufeff');
    expect(written).toContain('Zoë 李 ✓ 😀');
    expect(JSON.parse(written)).toEqual(answer);
  });

  it.each([
    [1e-9, '0.000000001'],
    [123456.789012345, '123456.789012345'],
    [-50, '-50'],
    [0, '0'],
    [100, '100'],
  ])('tells %d USD as %s', (amount, text) => {
    expect(usd(amount)).toBe(text);
  });

  it('has columns as wide as what is in them, numbers at their right', () => {
    const terminal = terminalWith(null);
    printTable(
      terminal,
      [
        { name: 'a', usd: '10.5' },
        { name: 'longer\n', usd: '-3' },
      ],
      [
        { title: 'NAME', value: ({ name }) => name },
        { title: 'USD', value: ({ usd: amount }) => amount },
        { title: 'NOTE', value: () => null },
      ],
    );
    expect(terminal.written()).toBe('NAME      USD  NOTE\na        10.5  -\nlonger\ufffd    -3  -\n');
  });
});
