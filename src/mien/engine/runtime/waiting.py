"""The queue before an engine: fair between sessions, bounded in time, in batches that keep deadlines.

The fair order is start-time fair queueing (Goyal, Vin and Cheng 1996): a request's turn is where its
session's last one ended, in seconds of the engine's time, and at least where the queue is now. Priority goes
before it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Final

from mien.engine.runtime.cost import Costs
from mien.engine.runtime.kept import Kept
from mien.engine.runtime.ticket import Clock, Home, Ticket
from mien.engine.stop import Stopped
from mien.errors import ResourceError

_MOST_SESSIONS: Final = 4_096  # whose generation is kept; the one that asked last longest ago goes first


class _Shares:
    """Where each session's share is used up to, among requests of one priority."""

    def __init__(self) -> None:
        self._here = 0.0  # where the one that is furthest behind stands
        self._ends: dict[Hashable, float] = {}

    def next(self, session: Hashable, cost: float) -> float:
        begin = max(self._here, self._ends.get(session, 0.0))
        self._ends[session] = begin + max(cost, 1e-9)
        return begin

    def go_on(self, here: float) -> None:
        self._here = here
        if len(self._ends) > 256:  # who is not ahead needs no entry
            self._ends = {session: end for session, end in self._ends.items() if end > here}


class Waiting:
    """Tickets that wait; `limit_s` bounds what is accepted, in predicted seconds of work.

    What a ticket's `home` says goes before `costs` and `most`. Safe to use from several threads; `ready` is
    notified when there is something to take.
    """

    def __init__(self, costs: Costs, clock: Clock, *, most: int, limit_s: float) -> None:
        self.ready = threading.Condition()
        self._costs, self._most, self._clock, self._limit_s = costs, most, clock, limit_s
        self._tickets: list[Ticket] = []
        self._closed = False
        self._count, self._work = 0, 0.0  # seconds that wait; what was cancelled counts until the next batch
        self._fair: dict[int, _Shares] = {}  # by priority
        self._generations: OrderedDict[Hashable, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tickets)

    def offer(self, ticket: Ticket) -> None:
        """Put a request into the queue.

        Raises `ResourceError` when so much waits that it is full, `Stopped` after `close`.
        """
        with self.ready:
            if self._closed:
                raise Stopped
            self._advance(ticket.terms.session, ticket.terms.generation)
            ticket.share, ticket.alone = self._predicted(ticket)
            if self._tickets and (ahead := self._work) + ticket.share > self._limit_s:
                raise ResourceError(
                    f"the engine is busy: {1e3 * ahead:.0f} ms of work wait and {1e3 * self._limit_s:.0f} ms "
                    "are allowed; ask again later, send less, or load it with a larger queue_ms"
                )
            self._place(ticket)
            self._tickets.append(ticket)
            self._work += ticket.share
            self.ready.notify()

    def advance(self, session: Hashable, generation: int) -> None:
        """Say that a session's turn has a new number: what waits of older ones is dropped when taken."""
        with self.ready:
            self._advance(session, generation)

    def take(self) -> tuple[Ticket, ...]:
        """Remove and return the batch to run now; empty when nothing waits.

        In the fair order, as many as are cheapest for each, unless a deadline of another that could be met
        would then be missed: then the batch that keeps the deadlines.
        """
        with self.ready:
            self._drop()
            if not self._tickets:
                self._work = 0.0
                return ()
            now = self._clock()
            batch = self._chosen(sorted(self._tickets, key=lambda ticket: ticket.order), now)
            taken = set(map(id, batch))
            self._tickets = [ticket for ticket in self._tickets if id(ticket) not in taken]
            self._work = sum(ticket.share for ticket in self._tickets)
            self._go_on({ticket.terms.priority for ticket in batch})
            return batch

    def withdraw(self, home: Home | None = None) -> list[Ticket]:
        """Remove and return what waits for one engine; None: for all."""
        with self.ready:
            gone = [ticket for ticket in self._tickets if home is None or ticket.home is home]
            self._tickets = [ticket for ticket in self._tickets if ticket not in gone]
            self._work = sum(ticket.share for ticket in self._tickets)
            return gone

    def close(self) -> list[Ticket]:
        """Take nothing more; remove and return all that wait."""
        with self.ready:
            self._closed = True
            left, self._tickets, self._work = self._tickets, [], 0.0
            self.ready.notify_all()
            return left

    @property
    def work_s(self) -> float:
        """The predicted seconds of what waits."""
        with self.ready:
            return self._work

    def _predicted(self, ticket: Ticket) -> tuple[float, float]:
        (kind, numbers), (costs, most) = (ticket.kind, ticket.numbers), self._of(ticket)
        size = costs.best(kind, most, numbers)
        return costs.predict(kind, size, numbers) / size, costs.predict(kind, 1, numbers)

    def _of(self, ticket: Ticket) -> tuple[Costs, int]:
        home = ticket.home
        return (self._costs, self._most) if home is None else (home.costs, home.most)

    def _place(self, ticket: Ticket) -> None:
        shares = self._fair.setdefault(ticket.terms.priority, _Shares())
        ticket.turn = shares.next(ticket.terms.session, ticket.share)
        self._count += 1
        ticket.number = self._count

    def _go_on(self, priorities: set[int]) -> None:
        for priority in priorities:
            left = [ticket.turn for ticket in self._tickets if ticket.terms.priority == priority]
            if left:
                self._fair[priority].go_on(min(left))
            else:
                del self._fair[priority]

    def _advance(self, session: Hashable, generation: int | None) -> None:
        if generation is None:
            return
        self._generations[session] = max(generation, self._generations.get(session, generation))
        self._generations.move_to_end(session)
        if len(self._generations) > _MOST_SESSIONS:
            self._generations.popitem(last=False)

    def _drop(self) -> None:
        """Drop what was cancelled and what belongs to an older turn of its session."""
        left = []
        for ticket in self._tickets:
            if ticket.cancelled:
                continue
            if self._is_old(ticket) or (ticket.stop is not None and ticket.stop.is_set):
                ticket.done(None, Stopped())
            else:
                left.append(ticket)
        self._tickets = left

    def _is_old(self, ticket: Ticket) -> bool:
        terms = ticket.terms
        return terms.generation is not None and terms.generation < self._generations.get(terms.session, 0)

    def _chosen(self, tickets: list[Ticket], now: float) -> tuple[Ticket, ...]:
        lead = tickets[0]
        costs, most = self._of(lead)
        alike = [ticket for ticket in tickets if ticket.kind == lead.kind][:most]
        size = costs.best(lead.kind, len(alike), lead.numbers)
        timed = [ticket for ticket in tickets if ticket.deadline is not None]
        if not timed or self._is_idle(tickets, timed, now):
            return tuple(alike[:size])
        kept = Kept(self._of, timed, now)
        while size:
            if kept.also_after(alike[:size]):
                return tuple(alike[:size])
            size //= 2
        return kept.urgent() or tuple(alike[:1])

    def _is_idle(self, tickets: Sequence[Ticket], timed: Sequence[Ticket], now: float) -> bool:
        """Whether even one after the other all would be done before the first deadline."""
        first = min(ticket.deadline for ticket in timed if ticket.deadline is not None)
        end = now
        for ticket in tickets:
            end += ticket.alone
            if end > first:
                return False
        return True
