import { OutboundHttp } from './outbound-http';

/**
 * The way out to addresses that are inputs of calls. It has connections and permissions of its own: what webhooks may reach
 * while somebody tries them out on his machine must not be readable by every holder of an access key.
 */
export class InputHttp extends OutboundHttp {}
