"""Certificates of lost deals, and the program that checks them.

A certificate is a file that proves that a deal cannot be won. ``cadogan solve --certificate`` and
:func:`cadogan.solver.certificate.certify` write certificates. :func:`check` checks them: it plays
by the rules in plain Python and shares no code with the search. ``docs/certificates.md`` explains
the proof and the file.
"""

from cadogan.certificates.checker import Checked, check
from cadogan.certificates.file import Certificate, CertificateError

__all__ = ["Certificate", "CertificateError", "Checked", "check"]
