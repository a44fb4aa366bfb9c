import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/**
 * Who may issue the certificates of receivers: the authorities that Node trusts, and an operator's own. Made once, because
 * reading all of them takes longer than a call.
 * @param file certificates in PEM, or null for Node's alone
 * @throws Error when the file can't be read or has no certificate, or one that is not valid
 */
export function trustedAuthorities(file: string | null): SecureContext {
  if (file === null) {
    return createSecureContext();
  }
  const own = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (own === null) {
    throw new Error('has no certificate in PEM');
  }
  own.forEach((pem) => new X509Certificate(pem));
  return createSecureContext({ ca: [...rootCertificates, ...own] });
}
