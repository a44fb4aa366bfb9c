import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { TestService } from './service';

/** A call over a real socket, read as it arrives. */
export interface OpenRequest {
  status: number;
  headers: IncomingHttpHeaders;
  /** What has arrived so far. */
  text(): string;
  /** Resolves when the answer is whole, rejects when its connection breaks before. */
  ended: Promise<void>;
  /** Resolves when the text is there. */
  arrived(text: string): Promise<void>;
  hangUp(): void;
}

/** Makes a POST with an access key; resolves with the answer's head. With `reads` false nothing of its body is read. */
export async function openRequest(
  service: TestService,
  key: string,
  body: object,
  headers: Record<string, string> = {},
  reads = true,
): Promise<OpenRequest> {
  const sent = request(`${await service.app.getUrl()}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end(JSON.stringify(body));
  });
  let text = '';
  const ended = new Promise<void>((resolve, reject) => {
    response.on('end', resolve).on('error', reject);
  });
  ended.catch(() => undefined);
  if (reads) {
    response.on('data', (bytes: Buffer) => (text += bytes.toString()));
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    ended,
    arrived: (wanted) =>
      new Promise<void>((resolve) => {
        const look = () => text.includes(wanted) && resolve();
        response.on('data', look);
        look();
      }),
    hangUp: () => sent.destroy(),
  };
}
