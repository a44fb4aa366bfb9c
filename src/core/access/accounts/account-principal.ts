/** Who calls: the account behind an account token or an access key. */
export interface AccountPrincipal {
  id: string;
  role: 'user' | 'admin';
  tier: string;
}
