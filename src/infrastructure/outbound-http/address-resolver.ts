/** Finds the addresses of a host name. Tests have one of their own in its place. */
export abstract class AddressResolver {
  /**
   * @param host a name without a dot at its end, never an address
   * @returns all its IPv4 and IPv6 addresses, in the order in which they are to be tried; nothing of them is judged yet
   */
  abstract resolve(host: string): Promise<string[]>;
}
