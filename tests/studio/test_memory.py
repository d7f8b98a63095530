from mien.studio.memory import Memory


def test_a_step_is_made_once_for_each_key_and_the_oldest_is_forgotten():
    memory, made = Memory(most=2), []

    def get(key):
        return memory.get("step", key, lambda: made.append(key) or key * 10)

    assert [get(1), get(2), get(1), get(3), get(1), get(2)] == [10, 20, 10, 30, 10, 20]
    assert made == [1, 2, 3, 2]
    assert memory.has("step", 1)
    assert not memory.has("step", 3)
    assert not memory.has("other", 1)
