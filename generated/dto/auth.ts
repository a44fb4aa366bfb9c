// Generated from openapi/ by `npm run generate`. Do not edit.
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('RegisterRequest')
export class RegisterRequest implements types.RegisterRequest {
  /** Stored, shown and compared in its normal form: Unicode NFKC in lower case. That form must be an address too. Characters that nobody sees are refused, and so are words with letters of several scripts, such as Latin and Cyrillic. */
  @MatchesSchema('RegisterRequest/properties/email')
  email!: types.RegisterRequest['email'];

  /** At least 8 characters; 12 or more are recommended. */
  @MatchesSchema('RegisterRequest/properties/password')
  password!: types.RegisterRequest['password'];

  /** Letters and digits of any script, dots, hyphens and underscores. It is stored in Unicode's form NFKC, and two accounts can't have names that differ in case alone. The letters of a word must be of one script; those of Chinese, Japanese and Korean, and Latin ones beside them, go together. */
  @MatchesSchema('RegisterRequest/properties/username')
  username!: types.RegisterRequest['username'];
}

@MatchesSchema('LoginRequest')
export class LoginRequest implements types.LoginRequest {
  /** In any spelling with the same normal form. */
  @MatchesSchema('LoginRequest/properties/email')
  email!: types.LoginRequest['email'];

  @MatchesSchema('LoginRequest/properties/password')
  password!: types.LoginRequest['password'];
}

@MatchesSchema('ChangePasswordRequest')
export class ChangePasswordRequest implements types.ChangePasswordRequest {
  @MatchesSchema('ChangePasswordRequest/properties/current_password')
  current_password!: types.ChangePasswordRequest['current_password'];

  /** At least 8 characters; 12 or more are recommended. */
  @MatchesSchema('ChangePasswordRequest/properties/new_password')
  new_password!: types.ChangePasswordRequest['new_password'];
}
