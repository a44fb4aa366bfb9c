export interface PathologicalRequest {
  title: string;
  path:
    | '/v1/chat/completions'
    | '/v1/completions'
    | '/v1/embeddings'
    | '/v1/responses'
    | '/api/hub/agents/chat'
    | '/api/hub/agents/generate';
  /** JSON, at most 1 MiB of it unless the size is what the case is about. */
  json: () => string;
}

const BODY_BYTES_MAX = 1024 * 1024;
/** As much as the embedded engine reads at once, less what it counts beside the text. */
const TEXT_LENGTH_MAX = 399_900;
/** Room for what stands around a text in its request. */
const FRAME_BYTES = 512;

type Text = () => string;

/** As many of one piece as a body or a text holds; pieces are as JSON has them. */
function filled(piece: string): string {
  const bytes = Math.floor((BODY_BYTES_MAX - FRAME_BYTES) / Buffer.byteLength(piece));
  const characters = Math.floor(TEXT_LENGTH_MAX / (JSON.parse(`"${piece}"`) as string).length);
  return piece.repeat(Math.min(bytes, characters));
}

function mebibyteOf(piece: string): string {
  return piece.repeat(Math.floor((BODY_BYTES_MAX - FRAME_BYTES) / Buffer.byteLength(piece)));
}

const TEXTS: [string, Text][] = [
  ['a mebibyte of one letter', () => mebibyteOf('a')],
  ['more than a mebibyte', () => 'a'.repeat(BODY_BYTES_MAX + 1)],
  ['as much of one letter as is allowed', () => filled('a')],
  ['a mebibyte of emoji', () => mebibyteOf('👩‍👩‍👧')],
  ['as many emoji as are allowed', () => filled('👩‍👩‍👧')],
  ['Thai letters without a space', () => filled('กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ')],
  ['combining marks', () => filled('e\u0301\u0316\u0327')],
  ['combining marks on one letter', () => `Z${filled('\u0301')}`],
  ['blanks', () => filled(' ')],
  ['line breaks', () => filled('\\n')],
  ['question marks', () => filled('Why? ')],
  ['full stops', () => filled('. ')],
  ['words that all differ', () => distinctWords()],
  ['sentences that all differ', () => distinctWords('. ')],
  ['what looks like a data URL', () => `data:image/png;base64,${filled('A').slice(30)}`],
  ['lone surrogates', () => filled('\\ud800')],
  ['a lone surrogate at the end', () => `${filled('a').slice(1)}\\udc00`],
  ['NUL', () => filled('\\u0000')],
];

/** What has no streams. */
const WHOLE = ['/v1/embeddings', '/api/hub/agents/generate'];
const PLAIN = '"model":"any","max_tokens":16';

/** Every case for each of the operations that it makes sense for, with and without a stream. */
export function pathologicalRequests(): PathologicalRequest[] {
  const texts = TEXTS.flatMap(([title, text]) => ofText(title, text));
  const requests = [...texts, ...chats(), ...others(), ...responses(), ...agents()];
  return requests.flatMap((request) =>
    WHOLE.includes(request.path) ? [request] : [request, streamed(request)],
  );
}

function ofText(title: string, text: Text): PathologicalRequest[] {
  return [
    chat(title, () => `"messages":[{"role":"user","content":"${text()}"}]`),
    completion(title, () => `"prompt":"${text()}"`),
    embedding(title, () => `"input":"${text()}"`),
    response(title, () => `"input":"${text()}"`),
    agentChat(title, () => `"messages":[{"role":"user","content":"${text()}"}]`),
    agentText(title, () => `"prompt":"${text()}"`),
  ];
}

function chats(): PathologicalRequest[] {
  const message = '{"role":"user","content":"Why?"}';
  const said = `"messages":[${message}]`;
  const properties = objectOf(80, () => '{"type":"string","description":"x"}');
  return [
    chat('10,000 messages', () => `"messages":[${listOf(10_000, () => message)}]`),
    chat('1,000 messages', () => `"messages":[${listOf(1_000, () => message)}]`),
    chat('1,000 long messages', () => `"messages":[${listOf(1_000, longMessage)}]`),
    chat('1,000 parts', () => `"messages":[{"role":"user","content":[${listOf(1_000, textPart)}]}]`),
    chat('arrays, nested 100,000 deep', () => `"messages":${nested('[', ']', 100_000)}`),
    chat(
      'parts, nested 100,000 deep',
      () => `"messages":[{"role":"user","content":${nested('[', ']', 100_000)}}]`,
    ),
    chat('an unknown field, nested 100,000 deep', () => `${said},"more":${nested('{"a":', '}', 100_000)}`),
    chat('a response format, nested 100,000 deep', () => `${said},${deepFormat(100_000)}`),
    chat('a response format, nested 50 deep', () => `${said},${deepFormat(50)}`),
    chat(
      '300,000 texts in tools',
      () => `${said},"tools":[{"type":"function","a":[${listOf(300_000, () => '""')}]}]`,
    ),
    chat(
      '200,000 texts in tools',
      () => `${said},"tools":[{"type":"function","a":[${listOf(200_000, () => '"a"')}]}]`,
    ),
    chat(
      '128 tools with huge schemas',
      () => `${said},"tools":[${listOf(128, () => `{"p":${properties}}`)}]`,
    ),
    chat('60,000 fields', () => `${said},${objectOf(60_000, () => '1').slice(1, -1)}`),
    chat('30,000 fields in a field', () => `${said},"logit_bias":${objectOf(29_900, () => '1')}`),
    chat('60,000 fields in a field', () => `${said},"logit_bias":${objectOf(60_000, () => '1')}`),
    chat('200,000 texts, then NUL', () => `${said},"more":[${listOf(200_000, () => '"a"')},"\\u0000"]`),
    chat('names of prototypes', () => `${said},"more":${nested('{"a":"__proto__","b":', '}', 40_000)}`),
    chat('30 messages of 1,000 parts', () => `"messages":[${listOf(30, () => partsMessage(900))}]`),
    chat('500,000 numbers in an unknown field', () => `${said},"more":[${listOf(500_000, () => '1')}]`),
    chat('500,000 messages that are none', () => `"messages":[${listOf(500_000, () => '1')}]`),
    chat('16 stops of 1,000 letters', () => `${said},"stop":[${listOf(16, () => `"${'a'.repeat(1_000)}"`)}]`),
  ];
}

function others(): PathologicalRequest[] {
  return [
    completion('100 prompts', () => `"prompt":[${listOf(100, () => `"${'a'.repeat(10_000)}"`)}]`),
    completion('400,000 tokens', () => `"prompt":[${listOf(400_000, () => '1')}]`),
    completion('10,000 prompts of one token', () => `"prompt":[${listOf(10_000, () => '[1]')}]`),
    completion('200,000 prompts', () => `"prompt":[${listOf(200_000, () => '"a"')}]`),
    embedding('2,048 inputs', () => `"input":[${listOf(2_048, (index) => `"text ${index}"`)}]`),
    embedding('2,048 inputs of one letter', () => `"input":[${listOf(2_048, () => '"a"')}]`),
    embedding('200 inputs', () => `"input":[${listOf(200, (index) => `"${sentence(index)}"`)}]`),
    embedding(
      '2,048 inputs of many words',
      () => `"input":[${listOf(2_048, (index) => `"${sentence(index)}"`)}]`,
    ),
    embedding(
      '2,048 inputs as base64',
      () => `"encoding_format":"base64","input":[${listOf(2_048, (index) => `"text ${index}"`)}]`,
    ),
    embedding('2,049 inputs', () => `"input":[${listOf(2_049, () => '"a"')}]`),
    embedding('400,000 tokens', () => `"input":[${listOf(400_000, () => '1')}]`),
    embedding(
      '2,048 inputs of 100 tokens',
      () => `"input":[${listOf(2_048, () => `[${listOf(100, () => '1')}]`)}]`,
    ),
    embedding('inputs, nested 100,000 deep', () => `"input":${nested('[', ']', 100_000)}`),
  ];
}

function responses(): PathologicalRequest[] {
  const message = '{"role":"user","content":"Why?"}';
  const part = '{"type":"output_text","text":""}';
  const answer = `{"role":"assistant","content":[${listOf(24, () => part)}]}`;
  const call = '{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}';
  const properties = objectOf(80, () => '{"type":"string","description":"x"}');
  return [
    response('10,000 items', () => `"input":[${listOf(10_000, () => message)}]`),
    response('1,000 items', () => `"input":[${listOf(1_000, () => message)}]`),
    response('1,000 calls of one turn', () => `"input":[${listOf(1_000, () => call)}]`),
    response('999 answers beside a call', () => `"input":[${call},${listOf(999, () => answer)}]`),
    response('calls and answers in turn', () => `"input":[${listOf(500, () => `${call},${answer}`)}]`),
    response(
      'an output of 1,000 parts',
      () => `"input":[{"type":"function_call_output","call_id":"c","output":[${listOf(1_000, () => part)}]}]`,
    ),
    response('items that are none', () => `"input":[${listOf(1_000, () => '{"type":"what"}')}]`),
    response('items, nested 100,000 deep', () => `"input":${nested('[', ']', 100_000)}`),
    response(
      'a format, nested 50 deep',
      () =>
        `"input":"x","text":{"format":{"type":"json_schema","name":"n","schema":${nested('{"a":', '}', 50)}}}`,
    ),
    response(
      '128 tools with huge schemas',
      () =>
        `"input":"x","tools":[${listOf(128, () => `{"type":"function","name":"f","parameters":${properties}}`)}]`,
    ),
    response('metadata of 29,000 fields', () => `"input":"x","metadata":${objectOf(29_000, () => '"1"')}`),
    response(
      '200,000 texts in an item',
      () => `"input":[{"type":"what","a":[${listOf(200_000, () => '"a"')}]}]`,
    ),
    response(
      '500,000 numbers in an unknown field',
      () => `"input":"x","more":[${listOf(500_000, () => '1')}]`,
    ),
    response('instructions', () => `"input":"x","instructions":"${filled('a')}"`),
  ];
}

function agents(): PathologicalRequest[] {
  const message = '{"role":"user","content":"Why?"}';
  return [
    agentChat('10,000 messages', () => `"messages":[${listOf(10_000, () => message)}]`),
    agentChat('1,000 long messages', () => `"messages":[${listOf(1_000, longMessage)}]`),
    agentChat('messages, nested 100,000 deep', () => `"messages":${nested('[', ']', 100_000)}`),
    agentChat('60,000 fields', () => `"messages":[${message}],${objectOf(60_000, () => '1').slice(1, -1)}`),
    agentText('a system prompt', () => `"prompt":"x","system_prompt":"${'Why? '.repeat(20_000)}"`),
  ];
}

function chat(title: string, fields: Text): PathologicalRequest {
  return { title, path: '/v1/chat/completions', json: () => `{${PLAIN},${fields()}}` };
}

function completion(title: string, fields: Text): PathologicalRequest {
  return { title, path: '/v1/completions', json: () => `{${PLAIN},${fields()}}` };
}

function embedding(title: string, fields: Text): PathologicalRequest {
  return { title, path: '/v1/embeddings', json: () => `{"model":"any",${fields()}}` };
}

function response(title: string, fields: Text): PathologicalRequest {
  return { title, path: '/v1/responses', json: () => `{"model":"any","max_output_tokens":16,${fields()}}` };
}

function agentChat(title: string, fields: Text): PathologicalRequest {
  return { title, path: '/api/hub/agents/chat', json: () => `{${PLAIN},${fields()}}` };
}

function agentText(title: string, fields: Text): PathologicalRequest {
  return { title, path: '/api/hub/agents/generate', json: () => `{${PLAIN},${fields()}}` };
}

function streamed({ title, path, json }: PathologicalRequest): PathologicalRequest {
  return { title: `${title}, as a stream`, path, json: () => `{"stream":true,${json().slice(1)}` };
}

function deepFormat(depth: number): string {
  return `"response_format":{"type":"json_schema","json_schema":${nested('{"a":', '}', depth)}}`;
}

function nested(open: string, close: string, depth: number): string {
  return `${open.repeat(depth)}${open.endsWith(':') ? '1' : ''}${close.repeat(depth)}`;
}

function listOf(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(',');
}

function objectOf(count: number, value: () => string): string {
  return `{${listOf(count, (index) => `"f${index}":${value()}`)}}`;
}

function longMessage(index: number): string {
  return `{"role":"user","content":"${`Line ${index} says something. `.repeat(16)}"}`;
}

function partsMessage(parts: number): string {
  return `{"role":"user","content":[${listOf(parts, () => '{"type":"text","text":""}')}]}`;
}

function sentence(index: number): string {
  return Array.from({ length: 24 }, (_, word) => `w${(index * 24 + word).toString(36)}x`).join(' ');
}

function textPart(index: number): string {
  return `{"type":"text","text":"Part ${index} is a text."}`;
}

function distinctWords(separator = ' '): string {
  const words = Array.from({ length: 40_000 }, (_, index) => `w${(index * 7919).toString(36)}`);
  return words.join(separator).slice(0, TEXT_LENGTH_MAX);
}
