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

export abstract class OutboundHttp {
  abstract post(request: OutboundPost): Promise<OutboundAnswer>;
}
