from mien.engine.backends.tensorrt_rtx.plan import read

TEXT = b"""vtrt\0\0
  accelerators={sm120 sm86 }
  tensor={ alignment=32 dims={ 1 8 } name="x.1" offset=0 strides={ 8 1 } type=half }
  tensor={ alignment=32 dims={ 8 8 } name="w" offset=0 strides={ 8 1 } type=int8 }
  sub_tensor={ base="x.1" dims={ 8 1 } name="x^deref" offset=0 strides={ 1 8 } type=half }
  fully_connected={ name="product" output={"y" } input={"x.1" "w" "alpha" } stream=0 }
  corrltn={ name="conv" output={"z" } input={"x^deref" "x.1" } stream=0 }
  corrltn={ name="lost" output={"z" } input={"gone" "x.1" } stream=0 }
  function={ name=__myl_Move fqn=__myl_Move_0x33 args={ "x.1" "y" } }
\0\xff"""


def test_capabilities_and_precisions_are_found_in_the_text():
    found = read(TEXT)
    assert found.capabilities == ("8.6", "12.0")
    assert found.nodes == {"product": "w8 MatMul", "conv": "fp16 Conv", "lost": "?/fp16 Conv"}
    assert found.executed["fp16 Conv"] == 1


def test_what_is_not_understood_is_empty_and_not_taken_as_right():
    for data in (b"", b"vtrt", TEXT.replace(b"accelerators", b"devices")):
        assert read(data).capabilities == ()
