import { Global, Module } from '@nestjs/common';
import { Rooms } from './rooms.repository';

/** What is kept of rooms. Who is in them through this process is the part of RoomVisitsModule, which workers lack. */
@Global()
@Module({ providers: [Rooms], exports: [Rooms] })
export class RealtimeModule {}
