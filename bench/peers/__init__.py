"""The programs we measure ourselves against: how each is fetched, built and run."""
