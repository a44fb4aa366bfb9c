import { Global, Module } from '@nestjs/common';
import { AnsweredOperations } from './answered-operations';
import { Estimates } from './estimates';
import { RequestValidator } from './request-validator';

/** What every operation needs, whichever module serves it. */
@Global()
@Module({
  providers: [Estimates, RequestValidator, AnsweredOperations],
  exports: [Estimates, RequestValidator, AnsweredOperations],
})
export class ContractModule {}
