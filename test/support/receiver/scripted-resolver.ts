import { AddressResolver } from '../../../src/http/outbound/outbound-http';

/** Answers look-ups from a script: for each name the answers in their order, of which the last is repeated. */
export class ScriptedResolver extends AddressResolver {
  /** Every look-up, in its order. */
  readonly asked: string[] = [];
  private readonly answers = new Map<string, (readonly string[])[]>();

  set(host: string, ...answers: readonly (readonly string[])[]): void {
    this.answers.set(host, [...answers]);
  }

  override resolve(host: string): Promise<string[]> {
    this.asked.push(host);
    const answers = this.answers.get(host) ?? [];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) {
      return Promise.reject(Object.assign(new Error(`queryA ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
    }
    return Promise.resolve([...answer]);
  }
}
