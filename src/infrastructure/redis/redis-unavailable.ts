/** Redis could not be asked, did not answer in time, or refused. Whether it has done what was asked is unknown. */
export class RedisUnavailable extends Error {}
