// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsString, Matches } from 'class-validator';
import { HasCodePoints } from '../../src/contract/constraints/has-code-points';
import { HasFormat } from '../../src/contract/constraints/has-format';
import type * as types from '../types';

export class RegisterRequest implements types.RegisterRequest {
  @HasFormat('email')
  @HasCodePoints({ max: 254 })
  @IsString()
  email!: string;

  /** At least 8 characters; 12 or more are recommended. */
  @HasCodePoints({ min: 8, max: 128 })
  @IsString()
  password!: string;

  /** Letters, digits, dots, hyphens and underscores. */
  @Matches(/^[A-Za-z0-9_.-]{3,32}$/u)
  @HasCodePoints({ min: 3, max: 32 })
  @IsString()
  username!: string;
}

export class LoginRequest implements types.LoginRequest {
  @HasFormat('email')
  @HasCodePoints({ max: 254 })
  @IsString()
  email!: string;

  @HasCodePoints({ min: 1, max: 128 })
  @IsString()
  password!: string;
}

export class ChangePasswordRequest implements types.ChangePasswordRequest {
  @HasCodePoints({ min: 1, max: 128 })
  @IsString()
  current_password!: string;

  /** At least 8 characters; 12 or more are recommended. */
  @HasCodePoints({ min: 8, max: 128 })
  @IsString()
  new_password!: string;
}
