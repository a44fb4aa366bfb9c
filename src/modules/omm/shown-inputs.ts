import type { ReadInput } from '../../core/models/multimodal/input';

/** What a prompt says of inputs, and the texts for its places. */
export interface ShownInputs {
  readonly lines: string;
  readonly variables: Record<string, string>;
}

/** Names each input for a model: a text with its place in the prompt, a picture by its number among those that go along. */
export function shownInputs(inputs: readonly ReadInput[]): ShownInputs {
  const pictures = inputs.filter(({ file }) => file === null);
  const lines = inputs.map((input) =>
    input.file === null
      ? `Input ${input.index} is picture number ${pictures.indexOf(input) + 1} of those that go along.`
      : `Input ${input.index} is this text:\n{{input_${input.index}}}`,
  );
  const texts = inputs.flatMap(({ index, file }) => (file ? [[`input_${index}`, file.text] as const] : []));
  return { lines: lines.join('\n'), variables: Object.fromEntries(texts) };
}
