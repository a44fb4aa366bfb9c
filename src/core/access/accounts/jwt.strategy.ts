import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Clock } from '../../../infrastructure/clock/clock';
import { TokenExpired } from '../authentication-errors';
import { AccountTokens, type TokenClaims, type TokenHolder } from './account-tokens';
import { JwtSecret } from './jwt-secret';

/**
 * How Passport verifies an account token: the library checks signature and form; expiry is checked here, by the
 * injected clock; then the database is asked whether the token was ended.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'account-token') {
  constructor(
    secret: JwtSecret,
    private readonly tokens: AccountTokens,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // It is handed to jsonwebtoken as it is, which takes keys too; the types of passport-jwt leave them out.
      secretOrKey: secret.key as unknown as Buffer,
      algorithms: ['HS256'],
      ignoreExpiration: true,
    });
  }

  /**
   * The account of a token with a valid signature; false, which Passport refuses, when the token was ended or the
   * account disabled.
   * @throws TokenExpired when the token has outlived its time
   */
  async validate(claims: TokenClaims): Promise<TokenHolder | false> {
    if (typeof claims.exp !== 'number' || claims.exp * 1000 <= this.clock.now().getTime()) {
      throw new TokenExpired();
    }
    return (await this.tokens.holder(claims)) ?? false;
  }
}
