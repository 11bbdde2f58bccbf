"""Variables of the environment by which these tests tell a worker what to do."""

#: The folder of the gate: a worker that plays leaves `at-<pid>` there, and plays on while there are tickets or `open`.
GATE = "TEST_GATE"
OTHER_DIGEST = "TEST_OTHER_DIGEST"
