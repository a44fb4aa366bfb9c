/** Where a day starts and ends by the calendar of its zone, in the order in which the clock passes them. */
export const DAYS = [
  ['UTC', '2026-01-16T00:00:00.000Z', '2026-01-17T00:00:00.000Z', 'has 24 hours'],
  ['Pacific/Auckland', '2026-01-20T11:00:00.000Z', '2026-01-21T11:00:00.000Z', 'begins 13 hours before'],
  ['Asia/Kathmandu', '2026-01-21T18:15:00.000Z', '2026-01-22T18:15:00.000Z', 'begins at a quarter past'],
  ['America/Los_Angeles', '2026-01-22T08:00:00.000Z', '2026-01-23T08:00:00.000Z', 'begins 8 hours after'],
  ['Pacific/Kiritimati', '2026-01-23T10:00:00.000Z', '2026-01-24T10:00:00.000Z', 'begins first of all'],
  ['Etc/GMT+12', '2026-01-24T12:00:00.000Z', '2026-01-25T12:00:00.000Z', 'begins last of all'],
  ['America/Los_Angeles', '2026-03-08T08:00:00.000Z', '2026-03-09T07:00:00.000Z', 'has 23 hours in March'],
  ['Pacific/Auckland', '2026-04-04T11:00:00.000Z', '2026-04-05T12:00:00.000Z', 'has 25 hours in April'],
  ['Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z', 'has no midnight'],
  ['Pacific/Auckland', '2026-09-26T12:00:00.000Z', '2026-09-27T11:00:00.000Z', 'has 23 hours in September'],
  ['Atlantic/Azores', '2026-10-25T00:00:00.000Z', '2026-10-26T01:00:00.000Z', 'has two midnights'],
  ['America/Havana', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z', 'has two midnights'],
  ['America/Los_Angeles', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z', 'has 25 hours in November'],
] as const;

/** Where a month starts and ends, likewise. */
export const MONTHS = [
  ['Pacific/Auckland', '2027-01-31T11:00:00.000Z', '2027-02-28T11:00:00.000Z'],
  ['America/Los_Angeles', '2027-03-01T08:00:00.000Z', '2027-04-01T07:00:00.000Z'],
  ['Pacific/Auckland', '2027-03-31T11:00:00.000Z', '2027-04-30T12:00:00.000Z'],
  ['America/Los_Angeles', '2027-11-01T07:00:00.000Z', '2027-12-01T08:00:00.000Z'],
  ['UTC', '2027-12-01T00:00:00.000Z', '2028-01-01T00:00:00.000Z'],
] as const;
