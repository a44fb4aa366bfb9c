/** A running server as any client sees it. */
export class PlainServer {
  /** @param url without a slash at its end */
  constructor(readonly url: string) {}

  async get(path: string): Promise<Response> {
    return fetch(this.url + path);
  }

  async post(
    path: string,
    body: unknown,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }
}
