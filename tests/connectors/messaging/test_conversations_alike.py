"""What every mailbox does alike holds with conversations beside it, and for the conversations themselves."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.connectors.messaging.matrix_world import MatrixWorld
from tests.connectors.messaging.synapse import Synapse
from tests.connectors.messaging.test_mailboxes_alike import (
    test_a_deleted_message_is_in_the_trash_and_comes_back,
    test_a_draft_is_kept_whole_and_can_be_removed,
    test_a_file_that_goes_along_is_filed_whole,
    test_a_lost_cache_loses_nothing,
    test_a_message_is_found_by_sender_subject_and_text,
    test_a_message_is_moved_keeps_its_flags_and_comes_back,
    test_a_message_that_came_meanwhile_is_seen,
    test_a_message_that_was_moved_meanwhile_is_left_alone,
    test_broken_messages_hide_no_others,
    test_everything_is_known_again_after_a_restart,
    test_letters_beyond_ascii_are_found,
    test_looking_marks_nothing,
    test_reading_marks_as_read_and_that_can_be_taken_back,
    test_two_messages_that_are_the_same_are_two,
    test_what_was_sent_is_filed_and_known_to_have_been_written_to,
)

__all__ = [
    "test_a_deleted_message_is_in_the_trash_and_comes_back",
    "test_a_draft_is_kept_whole_and_can_be_removed",
    "test_a_file_that_goes_along_is_filed_whole",
    "test_a_lost_cache_loses_nothing",
    "test_a_message_is_found_by_sender_subject_and_text",
    "test_a_message_is_moved_keeps_its_flags_and_comes_back",
    "test_a_message_that_came_meanwhile_is_seen",
    "test_a_message_that_was_moved_meanwhile_is_left_alone",
    "test_broken_messages_hide_no_others",
    "test_everything_is_known_again_after_a_restart",
    "test_letters_beyond_ascii_are_found",
    "test_looking_marks_nothing",
    "test_reading_marks_as_read_and_that_can_be_taken_back",
    "test_two_messages_that_are_the_same_are_two",
    "test_what_was_sent_is_filed_and_known_to_have_been_written_to",
]
pytestmark = pytest.mark.timeout(120)
_FIXED: Final = "what was said stays in its room"
_OF_MAIL: Final = {
    "test_a_deleted_message_is_in_the_trash_and_comes_back": _FIXED,
    "test_a_message_is_moved_keeps_its_flags_and_comes_back": _FIXED,
    "test_a_message_that_was_moved_meanwhile_is_left_alone": _FIXED,
    "test_two_messages_that_are_the_same_are_two": _FIXED,
    "test_broken_messages_hide_no_others": "a homeserver takes no bytes that are no event",
    "test_a_draft_is_kept_whole_and_can_be_removed": "it is about a mail address",
    "test_a_file_that_goes_along_is_filed_whole": "files do not go along by Matrix",
    "test_what_was_sent_is_filed_and_known_to_have_been_written_to": "it is about a mail address",
}


@pytest.fixture(params=["mail with conversations beside", "conversations"])
def world(request: pytest.FixtureRequest, tmp_path: Path, homeserver: Synapse) -> Iterator[MatrixWorld]:
    chatting = request.param == "conversations"
    reason = _OF_MAIL.get(getattr(request.node, "originalname", ""))
    if chatting and reason:
        pytest.skip(reason)
    world = MatrixWorld(tmp_path, homeserver)
    world.chatting = chatting
    yield world
    world.end()


async def test_what_was_known_of_conversations_is_fetched_anew_where_it_is_damaged(
    tmp_path: Path, homeserver: Synapse
) -> None:
    world = MatrixWorld(tmp_path, homeserver)
    world.chatting = True
    world.receive(subject="One")
    (before,) = (await world.do("search")).items
    world.end()
    for file in world.state.glob("matrix-*.db"):
        file.write_bytes(b"rubbish" * 1_000)
    world.build()
    assert [item.handle for item in (await world.do("search")).items] == [before.handle]
    world.end()
