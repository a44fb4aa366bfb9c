import { Module } from '@nestjs/common';
import { RoomMembers } from './room-members.repository';
import { RoomSignals } from './room-signals';
import { RoomVisits } from './room-visits';
import { RoomsHere } from './rooms-here';

/** Rooms that members enter through this process, which listens to signals for that. */
@Module({
  providers: [RoomMembers, RoomSignals, RoomVisits, RoomsHere],
  exports: [RoomVisits],
})
export class RoomVisitsModule {}
