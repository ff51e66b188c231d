"""The whole binary over real sockets, with the real default model and the official clients."""
