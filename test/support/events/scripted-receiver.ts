import type { OutboundHttp, OutboundPost } from '../../../src/http/outbound/outbound-http';

type OutboundAnswer = Awaited<ReturnType<OutboundHttp['post']>>;
export type Reaction = (post: OutboundPost) => OutboundAnswer | Promise<OutboundAnswer>;

/** Stands in for all receivers: notes what would be sent, and answers as the test says. */
export class ScriptedReceiver implements Pick<OutboundHttp, 'post'> {
  readonly posts: OutboundPost[] = [];
  /** How it answers each post. */
  reaction: Reaction = () => answer(200);

  async post(request: OutboundPost): Promise<OutboundAnswer> {
    this.posts.push(request);
    return this.reaction(request);
  }
}

/** An answer with this status and body. */
export function answer(status: number, body = ''): OutboundAnswer {
  return { status, body: Buffer.from(body), isCut: false };
}
