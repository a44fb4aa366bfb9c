import { pascal, type JsonObject } from './json';
import type { SocketChannel } from './sockets';
import { writeClass, writeFile } from './write-dto';

/** `dto/sockets.ts`: the classes of what clients send, by path and action, and the types of what the service sends. */
export function writeSockets(document: JsonObject, channels: SocketChannel[]): string {
  const names = new Set(channels.flatMap(({ actions }) => actions.map(({ schema }) => schema)));
  const classes = [...names].map((name) => writeClass(document, name, false));
  return writeFile([...classes, writeActions(channels), ...channels.map(writeAnswers)]);
}

function writeActions(channels: SocketChannel[]): string {
  const rows = channels.map(
    ({ name, actions }) =>
      `  ${name}: { ${actions.map(({ action, schema }) => `${action}: ${schema}`).join(', ')} },`,
  );
  return [
    '/** Which class a message has, by the path of its socket and its action. */',
    'export const socketActions = {',
    ...rows,
    '} as const;',
  ].join('\n');
}

function writeAnswers({ name, answers }: SocketChannel): string {
  const types = answers.map((schema) => `types.${schema}`).join(' | ');
  return `/** What the service sends on ${name}. */\nexport type ${pascal(name)}Answer = ${types};`;
}
