import { Global, Module } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule } from '@nestjs/core';
import { ErrorFilter } from './error.filter';
import { ErrorRenderer } from './error-renderer';
import { Estimates } from './estimates';
import { RequestValidator } from './request-validator';
import { ServedOperations } from './served-operations';

/** What every operation needs, whichever module serves it. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    ErrorRenderer,
    Estimates,
    RequestValidator,
    ServedOperations,
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
  exports: [ErrorRenderer, Estimates, RequestValidator, ServedOperations],
})
export class ContractModule {}
