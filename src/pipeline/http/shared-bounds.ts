import { Injectable } from '@nestjs/common';
import { TemporaryFiles } from '../../infrastructure/http/forms/temporary-files';
import { UnsentBytes } from '../../infrastructure/http/unsent-bytes';

/** What all requests of this process share, and each may have only a part of. */
@Injectable()
export class SharedBounds {
  constructor(
    readonly unsent: UnsentBytes,
    readonly files: TemporaryFiles,
  ) {}
}
