/** A URL that events may be sent to. */
export interface WebhookAddress {
  url: string;
  /** Its host in lower case and its port, `hooks.example.com:443`: what is bounded together when events are sent. */
  receiver: string;
}

/** Judges the URLs that customers give. That a host has public addresses only is judged at each connection as well. */
export abstract class WebhookAddresses {
  /** @throws Unprocessable for a URL that events are never sent to */
  abstract judge(url: string): WebhookAddress;
}
