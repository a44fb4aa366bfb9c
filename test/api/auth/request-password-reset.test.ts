import { createServer, type Server } from 'node:net';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { until } from '../../support/until';

/** A server that takes every message, and keeps what it was told. */
class MailServer {
  readonly said: string[] = [];
  private readonly server: Server;

  constructor(readonly port: number) {
    this.server = createServer((socket) => {
      let isText = false;
      socket.on('error', () => undefined);
      socket.write('220 mail\r\n');
      socket.on('data', (bytes) => {
        const text = bytes.toString();
        this.said.push(text);
        isText = isText ? !text.endsWith('\r\n.\r\n') : /^DATA/im.test(text);
        socket.write(isText && /^DATA/im.test(text) ? '354 go on\r\n' : isText ? '' : '250 ok\r\n');
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.close();
  }

  /** The token of the only link, once a message with one has come. */
  async token(): Promise<string> {
    const whole = () => this.said.join('').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    await until('a message with a link', () => /#token=[\w.-]+/.test(whole()));
    return /#token=([\w.-]+)/.exec(whole())?.[1] ?? '';
  }
}

const mail = new MailServer(20_000 + (process.pid % 20_000));

beforeAll(() => mail.start());
afterAll(() => mail.stop());

describeOperation(
  'requestPasswordReset',
  ({ owner }, variant) => ({ body: { email: variant === 0 ? owner.email : `${variant}@example.com` } }),
  (status) => {
    status(429, 'sends three an hour to an address at most, whether or not anybody has it', async (world) => {
      for (const email of [world.owner.email, `nobody-${world.owner.id}@example.com`]) {
        const ask = () => callAs('requestPasswordReset', world, { body: { email } });
        const codes = [await ask(), await ask(), await ask(), await ask()].map((answer) => answer.status);
        expect(codes).toEqual([200, 200, 200, 429]);
      }
    });
    status(200, 'answers the same for an address that no account has', async (world) => {
      const known = await callAs('requestPasswordReset', world, { body: { email: world.owner.email } });
      const body = { email: 'nobody@example.com' };
      expect((await callAs('requestPasswordReset', world, { body })).text).toBe(known.text);
    });
    status(200, 'sends a link that sets the password and confirms the address', async (world) => {
      mail.said.splice(0);
      const { email } = world.stranger;
      expect((await callAs('requestPasswordReset', world, { body: { email } })).body.sends_email).toBe(true);
      const body = { token: await mail.token(), new_password: 'seven silver trains at dawn' };
      expect((await callAs('resetPassword', world, { body })).status).toBe(200);
      const login = await callAs('login', world, { body: { email, password: body.new_password } });
      const me = await world.service.call('getCurrentUser', { ip: world.ip, credential: login.body.token });
      expect(me.body.is_email_verified).toBe(true);
      expect(mail.said.join('')).toContain(`RCPT TO:<${email}>`);
    });
  },
  {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'service@example.com',
    PUBLIC_URL: 'https://api.example/base/',
  },
);
