"""A local S3 server, and a bucket in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

KEYS = {"AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": "nothing", "AWS_EC2_METADATA_DISABLED": "true"}


@pytest.fixture(scope="session")
def bucket() -> Iterator[str]:
    """The bucket's URL, for URL.replace("?", "/PLACE?"); the environment has keys for it."""
    from moto.server import ThreadedMotoServer
    from pyarrow.fs import FileSystem

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"s3://twins?scheme=http&region=eu-west-1&allow_bucket_creation=true&endpoint_override={host}:{port}"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in KEYS.items():
            patch.setenv(name, value)
        store, root = FileSystem.from_uri(url)
        store.create_dir(root)
        yield url.replace("&allow_bucket_creation=true", "")
        del store
    server.stop()


@pytest.fixture
def place_of(bucket: str):
    """The URL of a place in the bucket, by name."""
    return lambda name: bucket.replace("?", f"/{name}?")
