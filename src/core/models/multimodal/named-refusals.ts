import { refusalOf } from '../../errors/file-refusals';
import { Unprocessable } from '../../errors/request-errors';

/**
 * What some work with a file gives; what it refuses is thrown as `refusalOf` says, with the name of the input that the file
 * is.
 */
export async function withNamedRefusals<Result>(
  name: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal instanceof Unprocessable
      ? new Unprocessable(`${name}: ${refusal.message}`)
      : (refusal ?? error);
  }
}
