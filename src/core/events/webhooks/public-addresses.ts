import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Unprocessable } from '../../errors/request-errors';
import { WebhookAddresses, type WebhookAddress } from './webhook-addresses';

const HTTPS_PORT = 443;
const PRIVILEGED_PORTS = 1024;
const INNER_NAME = /(?:^|\.)(?:local|internal|localhost)$/;

/** HTTPS URLs whose host is a public name or a public address. */
@Injectable()
export class PublicAddresses extends WebhookAddresses {
  override judge(text: string): WebhookAddress {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol !== 'https:') {
      throw new Unprocessable('url must be an HTTPS URL, such as https://hooks.example.com/credits.');
    }
    if (url.username !== '' || url.password !== '') {
      throw new Unprocessable('url must not have a user name or password.');
    }
    const port = url.port === '' ? HTTPS_PORT : Number(url.port);
    if (port !== HTTPS_PORT && port < PRIVILEGED_PORTS) {
      throw new Unprocessable(`The port of url must be ${HTTPS_PORT}, or ${PRIVILEGED_PORTS} or more.`);
    }
    const host = url.hostname.replace(/\.$/, '');
    if (!isPublic(host.replace(/^\[|\]$/g, ''))) {
      throw new Unprocessable('The host of url is not public.');
    }
    return { url: text, receiver: `${host}:${port}` };
  }
}

function isPublic(host: string): boolean {
  return ipaddr.isValid(host)
    ? ipaddr.parse(host).range() === 'unicast'
    : host.includes('.') && !INNER_NAME.test(host);
}
