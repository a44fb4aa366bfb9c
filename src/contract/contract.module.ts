import { Global, Module } from '@nestjs/common';
import { Estimates } from './estimates';
import { RequestValidator } from './request-validator';

/** What every operation needs, whichever module serves it. */
@Global()
@Module({
  providers: [Estimates, RequestValidator],
  exports: [Estimates, RequestValidator],
})
export class ContractModule {}
