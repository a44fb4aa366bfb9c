export interface OutboundPost {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  answerBytesMax: number;
}

export interface OutboundAnswer {
  status: number;
  body: Buffer;
  isCut: boolean;
}

export class OutboundFault extends Error {
  constructor(
    readonly reason: 'refused' | 'timeout' | 'unreachable',
    message: string,
  ) {
    super(message);
  }
}

export abstract class OutboundHttp {
  abstract post(request: OutboundPost): Promise<OutboundAnswer>;
}
