import { readQr } from '../../../test/support/payments/read-qr';
import { paymentQr } from './payment-record';

describe('the QR code of a payment', () => {
  it.each([
    'bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00025',
    'ethereum:0x9858EfFD232B4033E47d90003D41EC34EcaEda94@1?value=3333340000000000',
    'solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN?amount=0.066666667&reference=82ZJ7nbGpixjeDCmEhUcmwXYfvurzAgGdtSMuHnUgyny&label=Credits',
  ])('is read as %s', (uri) => {
    const svg = paymentQr(uri);
    expect(readQr(svg)).toBe(uri);
    expect(svg).toContain('><rect width="100%" height="100%" fill="#fff"/><path ');
  });
});
