import { AddressResolver, OutboundHttp } from '../../src/http/outbound/outbound-http';
import { TestService } from '../support/api/service';
import { HttpsReceiver } from '../support/receiver/https-receiver';

describe('outgoing calls of a service', () => {
  let receiver: HttpsReceiver;
  let service: TestService;
  beforeAll(async () => {
    receiver = await HttpsReceiver.start();
    service = await TestService.start(receiver.environment);
  });
  afterAll(() => Promise.all([service.stop(), receiver.close()]));
  const postTo = (url: string) =>
    service.app
      .get(OutboundHttp)
      .post({ url, headers: {}, body: '{}', timeoutMs: 20_000, answerBytesMax: 1024 });

  it('are judged by the addresses that names lead to', async () => {
    jest.spyOn(service.app.get(AddressResolver), 'resolve').mockResolvedValue(['10.0.0.1']);
    await expect(postTo('https://hooks.example.com/')).rejects.toMatchObject({ reason: 'refused' });
  });

  it('reach this machine where that is allowed, with the authorities that the operator trusts', async () => {
    expect(await postTo(receiver.url())).toMatchObject({ status: 204 });
    expect(receiver.requests).toMatchObject([{ method: 'POST', body: Buffer.from('{}') }]);
  });

  it('keep a service from starting when its file of certificates is not there', async () => {
    const started = TestService.start({ OUTBOUND_CA_FILE: '/nowhere/ca.pem' });
    await expect(started).rejects.toThrow('OUTBOUND_CA_FILE (/nowhere/ca.pem)');
  });
});
