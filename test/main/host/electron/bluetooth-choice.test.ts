import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BluetoothChoice } from '../../../../main/host/electron/bluetooth-choice.ts';

const device = (deviceId: string) => ({ deviceId, deviceName: `Polar H10 ${deviceId}` });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the choice of a Bluetooth device', () => {
  const begin = (choose = vi.fn(async () => 'b')) => {
    const answers: string[] = [];
    const ended = vi.fn();
    const choice = new BluetoothChoice(choose, ended);
    return { choice, choose, answers, ended, answer: (id: string) => void answers.push(id) };
  };

  test('also of one a person says that it is meant, once others had time to appear', async () => {
    const { choice, choose, answers, ended, answer } = begin(vi.fn(async () => 'a'));
    choice.found([], answer);
    await vi.advanceTimersByTimeAsync(5000);
    choice.found([device('a')], answer);
    await vi.advanceTimersByTimeAsync(2900);
    expect(answers).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(answers).toEqual(['a']);
    expect(choose).toHaveBeenCalledWith([device('a')]);
    expect(ended).toHaveBeenCalledOnce();
  });

  test('of two a person says which', async () => {
    const { choice, choose, answers, answer } = begin();
    choice.found([device('a')], answer);
    choice.found([device('a'), device('b')], answer);
    await vi.advanceTimersByTimeAsync(3100);
    expect(choose).toHaveBeenCalledWith([device('a'), device('b')]);
    expect(answers).toEqual(['b']);
  });

  test('where none appears the search ends with none', async () => {
    const { choice, answers, ended, answer } = begin();
    choice.found([], answer);
    await vi.advanceTimersByTimeAsync(30_100);
    expect(answers).toEqual(['']);
    expect(ended).toHaveBeenCalledOnce();
  });

  test('the newest way to answer is used', async () => {
    const { choice, answers, answer } = begin();
    const old = vi.fn();
    choice.found([device('a')], old);
    choice.found([device('a')], answer);
    await vi.advanceTimersByTimeAsync(3100);
    expect(old).not.toHaveBeenCalled();
    expect(answers).toEqual(['b']);
  });
});
