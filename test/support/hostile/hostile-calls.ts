import { Agent, request } from 'node:http';
import type { AnswerTally } from './answer-tally';
import type { HostileRequest } from './hostile-requests';

const ANSWER_MS_MAX = 60_000;
const BODY_KEPT_CHARACTERS_MAX = 2_000;

/** Sends requests as a client does that keeps its connections, and reads each answer to its end. */
export class HostileCalls {
  private readonly agent: Agent;

  constructor(
    private readonly url: string,
    private readonly tally: AnswerTally,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Resolves when the answer is whole or its connection is over. An answer that does not come is a fault. */
  send({ method, path, headers, body }: HostileRequest): Promise<void> {
    const { agent, tally, url } = this;
    const name = `${method} ${path}`;
    tally.calls += 1;
    return new Promise((resolve) => {
      const sent = request(url + path, { method, headers, agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += text.length < BODY_KEPT_CHARACTERS_MAX ? piece : '';
        });
        answer.on('end', () => {
          tally.answered(answer.statusCode ?? 0, text, name);
        });
        answer.on('close', resolve).on('error', resolve);
      });
      sent.setTimeout(ANSWER_MS_MAX, () => {
        tally.fault(`${name}: no answer within ${ANSWER_MS_MAX} ms`);
        sent.destroy();
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        tally.unanswered();
        if (error.code === 'ECONNREFUSED') {
          tally.fault(`${name}: the service takes no connections`);
        }
        resolve();
      });
      sent.end(body ?? undefined);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
