/** Where a tour goes, and the admin who lets its account in. */
export interface Start {
  url: string;
  adminEmail: string;
  adminPassword: string;
}

/** What a tour has seen, for the test to judge. */
export interface Seen {
  balance: number;
  memory: string;
  found: number;
  chat: string;
  /** The streamed answer; null where the client can't read streams. */
  streamed: string | null;
  agent: string;
  requests: number;
  /** The title of the document that was uploaded. */
  uploaded: string | null;
  /** How many transactions there are: as the list says, and as its pages add up to. */
  listed: [total: number, found: number];
  /** The field that a refused request was at fault in. */
  fault: string;
  unauthorized: string;
}

export const MODEL = 'embedded-extractive-1';
export const QUESTION =
  'The lighthouse was built in 1874. It stands on a cape. When was the lighthouse built?';

/** What is uploaded, as bytes and as the fields beside them. */
export const FILE = new File(['The lighthouse was built in 1874.'], 'cape.txt', { type: 'text/plain' });
export const METADATA = { title: 'The cape', project: 'lighthouses' };

/** An account that no other tour has. */
export function newcomer(client: string): { email: string; password: string; username: string } {
  return { email: `${client}@example.com`, password: 'a long and lovely password', username: client };
}

/** How many items a list says to have, and how many its pages of two add up to. */
export async function countPages(
  read: (page: { limit: number; offset: number }) => Promise<{ total: number; transactions: unknown[] }>,
): Promise<[total: number, found: number]> {
  const limit = 2;
  let [total, found] = [1, 0];
  while (found < total) {
    const page = await read({ limit, offset: found });
    if (page.transactions.length === 0) {
      break;
    }
    total = page.total;
    found += page.transactions.length;
  }
  return [total, found];
}

/** Runs a tour with the place that the command line names, and prints what it has seen as JSON. */
export function run(tour: (start: Start) => Promise<Seen>): void {
  const [url = '', adminEmail = '', adminPassword = ''] = process.argv.slice(2);
  tour({ url, adminEmail, adminPassword }).then(
    (seen) => console.log(JSON.stringify(seen)),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}

/** The value, which the client's types allow to be absent and the service has to send. */
export function given<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) {
    throw new Error('the service left out what the document promises');
  }
  return value;
}

/** The JSON of every event of a stream, as the document describes it; the end mark `[DONE]` is none. */
export async function* eventsOf<Event>(stream: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const text = await new Response(stream).text();
  for (const line of text.split('\n')) {
    if (line.startsWith('data: ') && line !== 'data: [DONE]') {
      yield JSON.parse(line.slice('data: '.length)) as Event;
    }
  }
}

/** A chunk or an error, which every client names in its own way. */
interface ChatEvent {
  choices?: { delta: { content?: string | null } }[];
  error?: { message: string };
}

/** The text that a stream adds up to. */
export async function textOf<Event extends ChatEvent>(events: AsyncGenerator<Event>): Promise<string> {
  let text = '';
  for await (const event of events) {
    if (event.error) {
      throw new Error(event.error.message);
    }
    text += event.choices?.[0]?.delta.content ?? '';
  }
  return text;
}
