let service = '';

/** Says where the service is. Orval's functions have relative addresses and ask this file to fetch them. */
export function serve(url: string): void {
  service = url;
}

/** What orval's generated functions call in place of fetch. */
export async function fetchFromService<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const { status, headers, ...response } = await answered(fetch(`${service}${path}`, options));
  const data: unknown = response.text === '' ? undefined : JSON.parse(response.text);
  return { status, headers, data } as Answer;
}

async function answered(
  pending: Promise<Response>,
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await pending;
  return { status: response.status, headers: response.headers, text: await response.text() };
}
