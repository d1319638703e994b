/* A board with leads I and II at 500 Hz, to be filled in: what the hardware gives is behind the four functions declared here. CC0. */

#include "idp.h"

#define SAMPLES 5

extern int board_read_byte(void);                      /* next byte of the host, -1 where there is none */
extern void board_write(const uint8_t *bytes, size_t length);
extern int board_sample(int32_t *two_codes);           /* 1 when a new sample of both leads is there */
extern uint32_t board_ms(void);

static const idp_device device = {
  .serial = 1, .firmware = 0x0100, .rate_mhz = 500000, .mask = 3, .channels = 2, .sample_bytes = 3,
  .minimum = -8388608, .maximum = 8388607, .lsb_pv = 100000, .high_pass_mhz = 50, .low_pass_hz = 150, .notch_hz = 0,
  .abilities = 0, .leads = { IDP_LEAD_I, IDP_LEAD_II }, .name = "Two leads",
};

static uint8_t wire[IDP_MAX_WIRE];
static idp_receiver receiver;
static int32_t codes[2 * SAMPLES];
static uint32_t first, last_hello;
static uint16_t seq;
static uint8_t filled, is_streaming;

static void answer(uint8_t command) {
  if (command == IDP_GET_HELLO) board_write(wire, idp_hello(&device, wire));
  else if (command == IDP_START) {
    is_streaming = 1;
    first = 0;
    seq = 0;
    filled = 0;
    board_write(wire, idp_hello(&device, wire));
    board_write(wire, idp_ack(IDP_START, IDP_OK, wire));
  } else if (command == IDP_STOP) {
    is_streaming = 0;
    board_write(wire, idp_ack(IDP_STOP, IDP_OK, wire));
  } else if (command == IDP_PING) board_write(wire, idp_pong(idp_u32(receiver.bytes + 1), board_ms() * 1000u, wire));
  else board_write(wire, idp_ack(command, IDP_UNKNOWN, wire));
}

void board_loop(void) {
  int byte;
  while ((byte = board_read_byte()) >= 0) {
    const uint8_t command = idp_receive(&receiver, (uint8_t)byte);
    if (command != 0) answer(command);
  }
  if (!is_streaming) {
    if (board_ms() - last_hello >= 1000u) {
      last_hello = board_ms();
      board_write(wire, idp_hello(&device, wire));
    }
    return;
  }
  while (board_sample(codes + 2 * filled)) {
    if (++filled < SAMPLES) continue;
    const idp_data data = { .flags = 0, .seq = seq++, .first = first, .time_us = first * 2000u, .lead_off = 0, .saturated = 0,
                            .battery = 255, .samples = SAMPLES, .codes = codes };
    board_write(wire, idp_packet(&device, &data, wire));
    first += SAMPLES;
    filled = 0;
  }
}
