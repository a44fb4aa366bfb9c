import { OutboundFault } from '../../../infrastructure/outbound-http/outbound-fault';
import { outboundTarget } from '../../../infrastructure/outbound-http/outbound-target';
import { Unprocessable } from '../../errors/request-errors';
import type { Input } from './input';

/** Of a text that stands in the request, in UTF-16 units. */
const TEXT_LENGTH_MAX = 400_000;

/**
 * Judges inputs as far as that goes without reading or fetching anything.
 * @param names what errors call them, one for each
 * @throws Unprocessable for the first input that makes no sense
 */
export function judgeInputs(
  inputs: readonly Input[],
  names: readonly string[],
  options: { allowLoopback: boolean },
): void {
  inputs.forEach((input, index) => judgeInput(input, names[index] ?? '', options));
}

/** What errors call the inputs of a list. */
export function namesOf(inputs: readonly Input[]): string[] {
  return inputs.map((_, index) => `inputs.${index}`);
}

function judgeInput(
  { type, content, url, format }: Input,
  name: string,
  options: { allowLoopback: boolean },
): void {
  if ((content === undefined) === (url === undefined)) {
    throw new Unprocessable(`${name}: give either content or url.`);
  }
  if (type === 'url' && url === undefined) {
    throw new Unprocessable(`${name}: an input of type url has a url.`);
  }
  if (format !== undefined && (type !== 'text' || content === undefined)) {
    throw new Unprocessable(`${name}: only a text that stands in content has a format.`);
  }
  if (type === 'text' && (content ?? '').length > TEXT_LENGTH_MAX) {
    throw new Unprocessable(`${name}: a text has at most ${TEXT_LENGTH_MAX} characters.`);
  }
  if (url !== undefined) {
    judgeUrl(url, name, options);
  }
}

function judgeUrl(url: string, name: string, options: { allowLoopback: boolean }): void {
  try {
    outboundTarget(url, options);
  } catch (error) {
    throw error instanceof OutboundFault ? new Unprocessable(`${name}.url: ${error.message}`) : error;
  }
}
