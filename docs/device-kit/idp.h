/* Isoline device protocol, version 1: what a maker's board needs to speak it. Portable C99, no allocation, no dependency.
 * Free to use by anybody: this folder is under CC0. The protocol: README.md beside this file. */

#ifndef ISOLINE_IDP_H
#define ISOLINE_IDP_H

#include <stddef.h>
#include <stdint.h>

#define IDP_MAX_CHANNELS 16
#define IDP_MAX_SAMPLE_BYTES 1000
/* A body of at most 1020 bytes, its check, COBS and a zero on both sides. */
#define IDP_MAX_WIRE 1030

enum { IDP_LEAD_NONE, IDP_LEAD_I, IDP_LEAD_II, IDP_LEAD_III, IDP_LEAD_V1, IDP_LEAD_V2, IDP_LEAD_V3, IDP_LEAD_V4, IDP_LEAD_V5,
       IDP_LEAD_V6, IDP_LEAD_AVR, IDP_LEAD_AVL, IDP_LEAD_AVF };
enum { IDP_CAN_LEAD_OFF = 1, IDP_CAN_PACE = 2, IDP_CAN_BATTERY = 4, IDP_CAN_BUTTON = 8 };
enum { IDP_LEAD_OFF_VALID = 1, IDP_OVERRUN = 2, IDP_BUTTON = 4, IDP_PACE = 8 };
enum { IDP_GET_HELLO = 0x81, IDP_START = 0x82, IDP_STOP = 0x83, IDP_SET = 0x84, IDP_PING = 0x85 };
enum { IDP_OK, IDP_UNKNOWN, IDP_NOT_NOW, IDP_BAD_VALUE };

typedef struct {
  uint32_t serial;
  uint16_t firmware;           /* 0x0102 is 1.2 */
  uint32_t rate_mhz;           /* 1000000 is 1000 Hz */
  uint16_t mask;               /* bit i: channel i is sent */
  uint8_t channels;            /* that the device has, 1 to 16 */
  uint8_t sample_bytes;        /* 2 or 3 */
  int32_t minimum, maximum;    /* codes at or beyond are saturated */
  uint32_t lsb_pv;             /* picovolts of one step: 100000 is 0.1 microvolts */
  uint16_t high_pass_mhz, low_pass_hz, notch_hz;
  uint8_t abilities;           /* IDP_CAN_... */
  uint8_t leads[IDP_MAX_CHANNELS];
  const char *name;            /* UTF-8, at most 32 bytes */
} idp_device;

typedef struct {
  uint8_t flags;               /* IDP_LEAD_OFF_VALID ... */
  uint16_t seq;                /* +1 each packet */
  uint32_t first;              /* index of its first sample since START: what makes every loss exact */
  uint32_t time_us;            /* of its first sample */
  uint16_t lead_off;           /* bit 0 RA, 1 LA, 2 LL, 3 to 8 C1 to C6, 9 RL */
  uint8_t saturated;           /* channels 0 to 7 */
  uint8_t battery;             /* percent, 255: mains or not known */
  uint8_t samples;             /* a channel, 1 to 64; so many that the packet covers 10 to 20 ms */
  const int32_t *codes;        /* all channels of sample 0, then of sample 1 ... */
} idp_data;

/* Each writes a packet as it goes over the wire into wire[IDP_MAX_WIRE] and gives its length; 0 where it can't be. */
size_t idp_hello(const idp_device *device, uint8_t *wire);
size_t idp_packet(const idp_device *device, const idp_data *data, uint8_t *wire);
size_t idp_ack(uint8_t command, uint8_t result, uint8_t *wire);
size_t idp_pong(uint32_t token, uint32_t time_us, uint8_t *wire);
size_t idp_log(const char *text, uint8_t *wire);

/* What the host sends, byte by byte. Begin with { 0 }. */
typedef struct {
  uint8_t bytes[24];
  uint8_t length;
  uint8_t is_overlong;
} idp_receiver;

/* Gives a command (IDP_GET_HELLO ...) when a whole one has arrived, else 0; its bytes then stand in receiver->bytes. */
uint8_t idp_receive(idp_receiver *receiver, uint8_t byte);

uint32_t idp_u32(const uint8_t *bytes);

#endif
