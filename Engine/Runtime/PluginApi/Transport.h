// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// muster.transport/0: carries opaque messages between addresses. ENet over UDP, the in-process loopback and plain
// datagrams are all such plugins.
//
// Who does what. The transport owns its sockets. The host's network thread drives it: `service` is the only place where
// it receives and sends, `wait_handle` is what the thread sleeps on. Keys, sequence numbers, acks and replay windows
// are the host's: what a transport carries is sealed already and means nothing to it. Before a transport looks at a
// datagram it offers it to the host's gate, which may drop or answer it without the transport keeping any state.
//
// Channels. MU_CHANNEL_UNRELIABLE delivers a message once, late, or never, never in pieces, never twice. A message that
// does not fit one datagram is refused with MU_E_WOULD_FRAGMENT. MU_CHANNEL_RELIABLE delivers every message once and in
// order until the connection ends; a peer whose unacknowledged bytes pass `reliable_backlog_bytes` is refused further
// messages with MU_E_BACKLOG, and the host closes it.
#pragma once

#include "PluginApi/Abi.h"
#include "PluginApi/Host.h"

#define MU_TRANSPORT_V0 "muster.transport/0"

#define MU_CHANNEL_UNRELIABLE 0u
#define MU_CHANNEL_RELIABLE 1u

/// An address on the network. IPv4 is stored as ::ffff:a.b.c.d; bytes are in network order, the port in host order.
/// The loopback transport uses only the port.
typedef struct mu_address {
  uint8_t ip[16];
  uint16_t port;
  uint16_t reserved;  ///< zero
} mu_address;

/// Names one connection of one transport instance; zero is none; never used again within 2^31 connections.
typedef uint64_t mu_connection;

#define MU_GATE_PASS 0u   ///< the transport handles the datagram
#define MU_GATE_DROP 1u   ///< forget it; nothing is kept, nothing is answered
#define MU_GATE_REPLY 2u  ///< send `reply` back to the address, keep nothing

/// The host's gate in front of the transport.
typedef struct mu_raw_gate {
  void* context;
  /// [net] Called for every datagram before the transport parses it, also for oversize ones (with what was read of
  /// them). Writes at most `replyCapacity` bytes to `reply`; the host keeps a reply no larger than the request.
  uint32_t (*on_raw_datagram)(void* context, const mu_address* from, mu_bytes datagram, uint8_t* reply,
                              uint32_t replyCapacity, uint32_t* replySize);
} mu_raw_gate;

/// Passed to create; copied. `gate.on_raw_datagram` may be null (a client).
typedef struct mu_transport_params {
  uint32_t struct_size;
  uint32_t max_connections;         ///< 1..4096
  uint32_t max_connections_per_ip;  ///< 0: no limit
  uint32_t max_datagram_bytes;      ///< UDP payload, 576..1400; framing of the transport included
  uint32_t reliable_backlog_bytes;  ///< per peer
  uint32_t max_message_bytes;       ///< largest reliable message either side accepts
  uint32_t timeout_ms;              ///< silence after which a connection is dead
  uint32_t reserved;
  uint64_t seed;  ///< for identifiers that should be hard to guess; from a secure source
  mu_raw_gate gate;
} mu_transport_params;

#define MU_TRANSPORT_EVENT_CONNECTED 1u     ///< an incoming connection, or an outgoing one that came up
#define MU_TRANSPORT_EVENT_DISCONNECTED 2u  ///< the last event of a connection; `code` is MU_DISCONNECT_*
#define MU_TRANSPORT_EVENT_MESSAGE 3u

#define MU_DISCONNECT_BY_PEER 1u  ///< the peer closed it; `detail` is the value it gave
#define MU_DISCONNECT_TIMEOUT 2u
#define MU_DISCONNECT_REFUSED 3u  ///< an outgoing connection found nobody or no free slot
#define MU_DISCONNECT_LOCAL 4u    ///< this side's disconnect, completed
#define MU_DISCONNECT_BACKLOG 5u

/// One thing that happened.
typedef struct mu_transport_event {
  uint32_t kind;
  uint32_t channel;  ///< of a message
  mu_connection connection;
  mu_address address;  ///< of the peer
  uint32_t code;
  uint32_t detail;
  mu_bytes message;  ///< owned by the transport, valid until the next call of `service` on this instance
} mu_transport_event;

/// One message to send. `status` is written by the transport.
typedef struct mu_transport_send {
  mu_connection connection;
  uint32_t channel;
  mu_status status;
  mu_bytes message;  ///< read until return
} mu_transport_send;

/// What the socket really did since create. Counters only grow. KB figures everywhere in Muster come from here.
typedef struct mu_transport_stats {
  uint32_t struct_size;
  uint32_t connections;
  uint64_t datagrams_in;
  uint64_t datagrams_out;
  uint64_t bytes_in;   ///< UDP payload
  uint64_t bytes_out;  ///< UDP payload
  uint64_t gate_dropped;
  uint64_t gate_replied;
  uint64_t receive_errors;  ///< e.g. oversize or truncated datagrams; never fatal
  uint64_t send_errors;     ///< e.g. unreachable addresses; never fatal
  uint64_t refused_connections;
  uint64_t refused_messages;  ///< would fragment, or backlog
  uint64_t reliable_resent;
} mu_transport_stats;

typedef struct mu_transport mu_transport;

/// The table. Every function takes the instance first. All calls of one instance come from one thread at a time.
typedef struct mu_transport_v0 {
  uint32_t struct_size;
  uint32_t minor;

  /// [net] Static facts, callable before create: bytes of framing that the transport adds to one unreliable message.
  uint32_t (*unreliable_overhead_bytes)(void);

  /// [net] -> created. Opens nothing yet. `out` is owned by the caller until destroy.
  mu_status (*create)(const mu_transport_params* params, mu_transport** out);

  /// [net] Closes sockets at once, tells nobody.
  void (*destroy)(mu_transport* self);

  /// [net, created -> active] Binds for incoming connections. MU_E_ADDRESS_IN_USE when the port is taken; `bound`
  /// receives the address really bound (port 0 asks for any).
  mu_status (*listen)(mu_transport* self, const mu_address* bind, mu_address* bound);

  /// [net, created or active] Begins a connection; its outcome is an event.
  mu_status (*connect)(mu_transport* self, const mu_address* remote, mu_connection* out);

  /// [net, active] Receives, sends what is due, resends, times out. Writes at most `capacity` events. Never blocks and
  /// never stops at a bad datagram: those are counted. When `*count == capacity` more may be waiting: call again.
  mu_status (*service)(mu_transport* self, mu_transport_event* events, uint32_t capacity, uint32_t* count);

  /// [net, active] Queues messages in order; each item's status tells its own fate. Sent at the next `flush`.
  void (*send)(mu_transport* self, mu_transport_send* items, uint32_t count);

  /// [net, active] Sends what is queued now.
  void (*flush)(mu_transport* self);

  /// [net, active] Ends a connection after what was queued reliably; `detail` reaches the peer. An event follows.
  void (*disconnect)(mu_transport* self, mu_connection connection, uint32_t detail);

  /// [net, active] A descriptor that becomes readable when `service` has something to do, or -1 (in process).
  int32_t (*wait_handle)(mu_transport* self);

  /// [net] Fills at most out->struct_size bytes.
  void (*stats)(mu_transport* self, mu_transport_stats* out);
} mu_transport_v0;
