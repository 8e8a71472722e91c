import { expect } from 'chai';
import { rainWarning, storesRainByDefault } from '#domain/uploads/rain-sender.js';
import {
  allowanceAt,
  giveRequestBack,
  takeRequest,
  waitForRequest,
} from '#domain/uploads/request-allowance.js';
import { DEFAULT_SETTINGS } from '#domain/uploads/upload-key.js';
import { MAX_UPLOAD_AHEAD, MAX_SKEW, chooseUploadTime } from '#domain/uploads/upload-time.js';

describe('the requests that an address has left', () => {
  const limit = { requests: 4, seconds: 2 };

  it('come back evenly, up to the limit', () => {
    expect(allowanceAt(undefined, limit, 7)).to.deep.equal({ left: 4, at: 7 });
    expect(allowanceAt({ left: 1, at: 0 }, limit, 500)).to.deep.equal({ left: 2, at: 500 });
    expect(allowanceAt({ left: 1, at: 0 }, limit, 250).left).to.equal(1.5);
    expect(allowanceAt({ left: 3, at: 0 }, limit, 9000).left).to.equal(4);
    expect(allowanceAt({ left: 1, at: 100 }, limit, 0)).to.deep.equal({ left: 1, at: 0 });
    expect(giveRequestBack({ left: 2.5, at: 0 }, limit).left).to.equal(3.5);
    expect(giveRequestBack({ left: 3.5, at: 0 }, limit).left).to.equal(4);
  });

  it('are taken as wholes, and tell how long one takes', () => {
    expect(takeRequest({ left: 2.5, at: 3 })).to.deep.equal({ left: 1.5, at: 3 });
    expect(takeRequest({ left: 1, at: 3 })?.left).to.equal(0);
    expect(takeRequest({ left: 0.999, at: 3 })?.left).to.equal(0);
    expect(takeRequest({ left: 0.998, at: 3 })).to.equal(undefined);
    const waits = [4, 1, 0.75, 0, 0.9999].map((left) => waitForRequest({ left, at: 0 }, limit));
    expect(waits).to.deep.equal([0, 0, 125, 500, 1]);
  });
});

describe('the time of an upload', () => {
  const NOW = 1_000_000_000;
  const place = (ahead: number, isLive: boolean) => chooseUploadTime({ sent: NOW + ahead, isLive }, NOW);
  const received = (skew: number) => ({ kind: 'chosen', time: NOW, isReceiveTime: true, skew });
  const sent = (ahead: number) => ({ kind: 'chosen', time: NOW + ahead, isReceiveTime: false, skew: 0 });

  it('is that of receipt where a live sender has a wrong clock, or none', () => {
    for (const ahead of [0, MAX_SKEW, -MAX_SKEW, 1])
      expect(place(ahead, true), String(ahead)).to.deep.equal(sent(ahead));
    expect(place(MAX_SKEW + 1, true)).to.deep.equal(received(300));
    expect(place(-MAX_SKEW - 1, true)).to.deep.equal(received(-300));
    expect(place(7_200_400, true)).to.deep.equal(received(7200));
    for (const isLive of [true, false])
      for (const none of [undefined, NaN])
        expect(chooseUploadTime({ sent: none, isLive }, NOW)).to.deep.equal(received(0));
  });

  it('is that of others, if it is not in the future', () => {
    for (const ahead of [-1e9, -MAX_SKEW - 1, MAX_SKEW + 1, MAX_UPLOAD_AHEAD])
      expect(place(ahead, false)).to.deep.equal(sent(ahead));
    expect(place(MAX_UPLOAD_AHEAD + 1000, false)).to.deep.equal({ kind: 'ahead', seconds: 601 });
    expect(place(MAX_UPLOAD_AHEAD + 1, false)).to.have.property('kind', 'ahead');
  });
});

describe('the rain of several senders', () => {
  const key = (number: number, station: number, rain: boolean) => ({
    number,
    station,
    settings: { ...DEFAULT_SETTINGS, rain },
  });

  it('is stored for the first key of a station', () => {
    expect(storesRainByDefault(1, [])).to.equal(true);
    expect(storesRainByDefault(1, [key(1, 2, true), key(2, 1, false)])).to.equal(true);
    expect(storesRainByDefault(1, [key(1, 1, true)])).to.equal(false);
  });

  it('is warned of where it is stored twice or not at all', () => {
    const warning = (rain: boolean, ...others: ReturnType<typeof key>[]) =>
      rainWarning(key(5, 1, rain), [key(5, 1, rain), ...others]);
    expect(warning(true)).to.equal(null);
    expect(warning(true, key(6, 2, true), key(7, 1, false))).to.equal(null);
    expect(warning(false)).to.match(
      /^No key stores the rain of this station\. `weatherd upload map 5 --rain on` stores the rain of key 5\.$/,
    );
    expect(warning(true, key(6, 1, true))).to.match(
      /^Key 6 also stores the rain of this station, .*map 5 --rain off` leaves out the rain of key 5\.$/,
    );
    expect(warning(true, key(6, 1, true), key(7, 1, true))).to.match(/^Keys 6, 7 also store the rain/);
    expect(warning(false, key(6, 1, true))).to.match(
      /^The rain of key 5 is not stored, because key 6 stores .*map 5 --rain on/,
    );
  });
});
