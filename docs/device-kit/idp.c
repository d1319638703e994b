/* Isoline device protocol, version 1: encoder and command receiver for a maker's board. CC0. */

#include "idp.h"

#define MAX_BODY 1020
#define MAX_NAME 32
#define MAX_LOG 200

static uint8_t body[MAX_BODY + 2];

/* CRC-16/CCITT-FALSE: polynomial 1021, initial FFFF, nothing reflected. */
static uint16_t crc16(const uint8_t *bytes, size_t length) {
  uint16_t crc = 0xffff;
  size_t i;
  int bit;
  for (i = 0; i < length; i++) {
    crc ^= (uint16_t)((uint16_t)bytes[i] << 8);
    for (bit = 0; bit < 8; bit++) crc = (uint16_t)(((unsigned)crc << 1) ^ ((crc & 0x8000u) != 0 ? 0x1021u : 0u));
  }
  return crc;
}

/* The check behind the body, both without zeros (COBS), a zero on both sides. */
static size_t send_body(size_t length, uint8_t *wire) {
  const uint16_t crc = crc16(body, length);
  size_t at = 2, code_at = 1, i;
  uint8_t code = 1;
  body[length++] = (uint8_t)(crc >> 8);
  body[length++] = (uint8_t)crc;
  wire[0] = 0;
  for (i = 0; i < length; i++) {
    if (body[i] != 0) {
      wire[at++] = body[i];
      code++;
    }
    if (body[i] == 0 || (code == 0xff && i + 1 < length)) {
      wire[code_at] = code;
      code_at = at++;
      code = 1;
    }
  }
  wire[code_at] = code;
  wire[at++] = 0;
  return at;
}

static size_t put(size_t at, uint32_t value, int bytes) {
  for (; bytes > 0; bytes--, value >>= 8) body[at++] = (uint8_t)value;
  return at;
}

static int count_bits(uint16_t mask) {
  int count = 0;
  for (; mask != 0; mask = (uint16_t)(mask & (mask - 1))) count++;
  return count;
}

size_t idp_hello(const idp_device *device, uint8_t *wire) {
  size_t at = 0, i, name = 0;
  if (device->channels < 1 || device->channels > IDP_MAX_CHANNELS) return 0;
  while (device->name[name] != 0 && name < MAX_NAME) name++;
  at = put(at, 0x01, 1);
  at = put(at, 1, 1);
  at = put(at, 0x4c4f5349u, 4); /* "ISOL" */
  at = put(at, device->serial, 4);
  at = put(at, device->firmware, 2);
  at = put(at, device->rate_mhz, 4);
  at = put(at, device->mask, 2);
  at = put(at, device->channels, 1);
  at = put(at, device->sample_bytes, 1);
  at = put(at, (uint32_t)device->minimum, 4);
  at = put(at, (uint32_t)device->maximum, 4);
  at = put(at, device->lsb_pv, 4);
  at = put(at, device->high_pass_mhz, 2);
  at = put(at, device->low_pass_hz, 2);
  at = put(at, device->notch_hz, 2);
  at = put(at, device->abilities, 1);
  for (i = 0; i < device->channels; i++) at = put(at, device->leads[i], 1);
  at = put(at, (uint32_t)name, 1);
  for (i = 0; i < name; i++) at = put(at, (uint8_t)device->name[i], 1);
  return send_body(at, wire);
}

size_t idp_packet(const idp_device *device, const idp_data *data, uint8_t *wire) {
  const size_t count = (size_t)data->samples * (size_t)count_bits(device->mask);
  size_t at = 0, i;
  if (data->samples < 1 || data->samples > 64 || count == 0 || count * device->sample_bytes > IDP_MAX_SAMPLE_BYTES) return 0;
  at = put(at, 0x02, 1);
  at = put(at, data->flags, 1);
  at = put(at, data->seq, 2);
  at = put(at, data->first, 4);
  at = put(at, data->time_us, 4);
  at = put(at, device->mask, 2);
  at = put(at, data->samples, 1);
  at = put(at, device->sample_bytes, 1);
  at = put(at, data->lead_off, 2);
  at = put(at, data->saturated, 1);
  at = put(at, data->battery, 1);
  for (i = 0; i < count; i++) at = put(at, (uint32_t)data->codes[i], device->sample_bytes);
  return send_body(at, wire);
}

size_t idp_ack(uint8_t command, uint8_t result, uint8_t *wire) {
  size_t at = put(0, 0x04, 1);
  at = put(at, command, 1);
  at = put(at, result, 1);
  return send_body(at, wire);
}

size_t idp_pong(uint32_t token, uint32_t time_us, uint8_t *wire) {
  size_t at = put(0, 0x06, 1);
  at = put(at, token, 4);
  at = put(at, time_us, 4);
  return send_body(at, wire);
}

size_t idp_log(const char *text, uint8_t *wire) {
  size_t at = put(0, 0x05, 1);
  for (; *text != 0 && at <= MAX_LOG; text++) at = put(at, (uint8_t)*text, 1);
  return send_body(at, wire);
}

uint32_t idp_u32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Takes the COBS away in place; 0 where it is none. */
static uint8_t unstuff(uint8_t *bytes, uint8_t length) {
  uint8_t from = 0, to = 0;
  while (from < length) {
    const uint8_t code = bytes[from++];
    uint8_t i;
    for (i = 1; i < code; i++) {
      if (from >= length) return 0;
      bytes[to++] = bytes[from++];
    }
    if (code < 0xff && from < length) bytes[to++] = 0;
  }
  return to;
}

uint8_t idp_receive(idp_receiver *receiver, uint8_t byte) {
  uint8_t length;
  if (byte != 0) {
    if (receiver->length < sizeof receiver->bytes) receiver->bytes[receiver->length++] = byte;
    else receiver->is_overlong = 1;
    return 0;
  }
  length = receiver->is_overlong ? 0 : unstuff(receiver->bytes, receiver->length);
  receiver->length = 0;
  receiver->is_overlong = 0;
  if (length < 3 || crc16(receiver->bytes, length) != 0) return 0;
  return receiver->bytes[0];
}
