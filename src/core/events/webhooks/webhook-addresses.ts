import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../config/configuration';
import { OutboundFault } from '../../../infrastructure/outbound-http/outbound-fault';
import { outboundTarget } from '../../../infrastructure/outbound-http/outbound-target';
import { Unprocessable } from '../../errors/request-errors';

/** A URL that events may be sent to. */
export interface WebhookAddress {
  url: string;
  /** Its host in lower case and its port, `hooks.example.com:443`: what is bounded together when events are sent. */
  receiver: string;
}

/** Judges the URLs that customers give. Where a host leads is judged at each connection (infrastructure/outbound-http). */
@Injectable()
export class WebhookAddresses {
  constructor(private readonly configuration: Configuration) {}

  /** @throws Unprocessable for a URL that events are never sent to */
  judge(text: string): WebhookAddress {
    try {
      const { url, receiver } = outboundTarget(text, {
        allowLoopback: this.configuration.allowLoopbackWebhooks,
      });
      return { url: url.href, receiver };
    } catch (error) {
      throw error instanceof OutboundFault ? new Unprocessable(`url: ${error.message}`) : error;
    }
  }
}
