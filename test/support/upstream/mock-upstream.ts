import { LLMock } from '@copilotkit/aimock';

/**
 * An upstream written by others, so that a misreading of the protocol does not agree with itself. It knows chats,
 * streams, tools, JSON, embeddings as floats and errors; not `n`, `logprobs` and base64, for which there is RawUpstream.
 */
export class MockUpstream {
  private constructor(readonly mock: LLMock) {}

  static async start(): Promise<MockUpstream> {
    const mock = new LLMock({ host: '127.0.0.1', port: 0, logLevel: 'silent' });
    await mock.start();
    return new MockUpstream(mock);
  }

  get baseUrl(): string {
    return `${this.mock.url}/v1`;
  }

  /** The bodies of the requests for answers, in order. */
  get bodies(): Record<string, unknown>[] {
    return this.mock
      .getRequests()
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => body as unknown as Record<string, unknown>);
  }

  /** Forgets what it was asked and what it should answer. */
  reset(): void {
    this.mock.clearRequests();
    this.mock.clearFixtures();
    this.mock.resetMatchCounts();
  }

  async stop(): Promise<void> {
    await this.mock.stop();
  }
}
