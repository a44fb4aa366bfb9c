export class OutboundFault extends Error {
  constructor(
    readonly reason: 'refused' | 'timeout' | 'unreachable',
    message: string,
  ) {
    super(message);
  }
}
