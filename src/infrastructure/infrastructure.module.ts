import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Configuration } from '../config/configuration';
import { Clock } from './clock/clock';
import { dataSourceOptions } from './database/data-source-options';
import { DatabaseUrl } from './database/database-url';
import { Metrics } from './metrics/metrics';

export interface InfrastructureOptions {
  configuration: Configuration;
  databaseUrl: DatabaseUrl;
  clock: Clock;
}

/** The configuration, the clock, the metrics and the connection pool, for everybody. */
@Module({})
export class InfrastructureModule {
  static with({ configuration, databaseUrl, clock }: InfrastructureOptions): DynamicModule {
    const values = [
      { provide: Configuration, useValue: configuration },
      { provide: DatabaseUrl, useValue: databaseUrl },
      { provide: Clock, useValue: clock },
    ];
    return {
      module: InfrastructureModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(databaseUrl.value, configuration.databasePoolSizeMax),
          autoLoadEntities: true,
          retryAttempts: 5,
          retryDelay: 1000,
        }),
      ],
      providers: [...values, Metrics],
      exports: [...values.map(({ provide }) => provide), Metrics],
    };
  }
}
