import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export interface ServerCertificate {
  cert: string;
  key: string;
}

/** A certificate authority that nobody trusts but who is handed its certificate. */
export class TestAuthority {
  private static ofThisFile: Promise<TestAuthority> | null = null;

  private constructor(
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly certificate: x509.X509Certificate,
  ) {}

  /** One for all receivers of a test file. */
  static shared(): Promise<TestAuthority> {
    return (this.ofThisFile ??= this.create());
  }

  static async create(): Promise<TestAuthority> {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Authority of the tests',
      keys,
      signingAlgorithm: ALGORITHM,
      ...validity(2 * DAY_MS),
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      ],
    });
    return new TestAuthority(keys, certificate);
  }

  /** Its certificate in PEM, which makes whoever is handed it trust what it issues. */
  get pem(): string {
    return this.certificate.toString('pem');
  }

  /**
   * Issues a certificate for a server.
   * @param names host names and addresses
   * @param validForMs from a day ago on; a certificate for less than a day has expired
   */
  async issue(names: readonly string[], validForMs = 2 * DAY_MS): Promise<ServerCertificate> {
    const keys = await newKeys();
    const alternatives = names.map((value) => ({ type: isIP(value) > 0 ? 'ip' : 'dns', value }) as const);
    const certificate = await x509.X509CertificateGenerator.create({
      subject: 'CN=Receiver of the tests',
      issuer: this.certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...validity(validForMs),
      extensions: [
        new x509.SubjectAlternativeNameExtension(alternatives),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      ],
    });
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
  }
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function validity(validForMs: number) {
  const notBefore = new Date(Date.now() - DAY_MS);
  return { notBefore, notAfter: new Date(notBefore.getTime() + validForMs) };
}
